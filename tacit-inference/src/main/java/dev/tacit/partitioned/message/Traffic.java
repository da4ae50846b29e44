package dev.tacit.partitioned.message;

/**
 * What was sent.
 *
 * @param messagesDown from the coordinator to parties
 * @param messagesUp from parties
 * @param bytesDown length of the former in JSON
 * @param bytesUp length of the latter in JSON
 */
public record Traffic(long messagesDown, long messagesUp, long bytesDown, long bytesUp) {
    /** Nothing yet. */
    public static final Traffic NONE = new Traffic(0, 0, 0, 0);

    public Traffic plusDown(Message message) {
        return new Traffic(messagesDown + 1, messagesUp, bytesDown + message.bytes(), bytesUp);
    }

    public Traffic plusUp(Message message) {
        return new Traffic(messagesDown, messagesUp + 1, bytesDown, bytesUp + message.bytes());
    }
}
