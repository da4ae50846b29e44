package dev.tacit.numerics;

/** A program that says which linear algebra it got; started by {@link LinearAlgebraTest} to see what it prints. */
final class SilentStart {
    private SilentStart() {}

    public static void main(String[] arguments) {
        System.out.print(LinearAlgebra.best().name());
    }
}
