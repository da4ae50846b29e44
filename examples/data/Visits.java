import java.util.Locale;
import java.util.Random;

/**
 * Makes up the table of these examples: 3,000 visits to three hospitals, with effects that are known because they stand here.
 * Chance makes people here who do not exist. Noise that protects people who do is drawn by Tacit, never by a class like Random.
 *
 * <pre>
 *   java data/Visits.java > data/visits.csv
 * </pre>
 */
class Visits {
    public static void main(String[] args) {
        Random random = new Random(20);
        String[] sites = {"north", "harbour", "hill"};
        StringBuilder table = new StringBuilder("visit,age,smoking,site,calls,readmitted\n");
        for (int visit = 1; visit <= 3000; visit++) {
            int age = (int) Math.round(Math.min(95, Math.max(18, 58 + 17 * random.nextGaussian())));
            double luck = random.nextDouble();
            String smoking = luck < 0.5 ? "never" : luck < 0.8 ? "former" : "current";
            String site = sites[visit % sites.length];

            // The odds of a readmission: times 1.5 for ten years, 1.6 for former and 3 for current smokers.
            double logit = -1.2
                    + Math.log(1.5) * (age - 58) / 10
                    + (smoking.equals("former") ? Math.log(1.6) : smoking.equals("current") ? Math.log(3) : 0);
            boolean readmitted = random.nextDouble() < 1 / (1 + Math.exp(-logit));

            // Calls to the help line: 40 % of patients do not know of it, the others call twice on average.
            int calls = random.nextDouble() < 0.4 ? 0 : poisson(random, 2);

            table.append(String.format(
                    Locale.ROOT, "%d,%d,%s,%s,%d,%s%n", visit, age, smoking, site, calls, readmitted ? "yes" : "no"));
        }
        System.out.print(table);
    }

    private static int poisson(Random random, double mean) {
        int count = 0;
        for (double product = random.nextDouble(); product > Math.exp(-mean); product *= random.nextDouble()) {
            count++;
        }
        return Math.min(count, 20);
    }
}
