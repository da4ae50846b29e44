package dev.tacit.partitioned.message;

/** A party that has joined a run: a link to a party that is somewhere else hands on what that party declared. */
public interface JoinedLink extends PartyLink {
    /** What the party declares about its answers. */
    PartyTerms terms();
}
