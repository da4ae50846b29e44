package dev.tacit.federated.simulate;

import dev.tacit.federated.run.FederatedRuntime;
import dev.tacit.federated.study.StudyException;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.Federation;
import dev.tacit.fit.federation.FederationAnswer;
import dev.tacit.fit.federation.FederationRequest;
import java.time.Clock;

/** The whole module behind its seam. */
public final class FederatedModule implements Federation {
    private final Clock clock = Clock.systemUTC();

    @Override
    public FederationAnswer perform(FederationRequest request, Progress progress) {
        try {
            return request instanceof FederationRequest.Simulate simulate
                    ? new Simulation(simulate, progress, clock).run()
                    : new FederatedRuntime(clock).perform(request, progress);
        } catch (StudyException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        }
    }
}
