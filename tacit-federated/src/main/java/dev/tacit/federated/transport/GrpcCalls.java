package dev.tacit.federated.transport;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The two calls that parties make, as bytes: envelopes have a written form of their own and need no second one. */
final class GrpcCalls {
    static final String SERVICE = "tacit.federated.v1.Coordinator";

    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    /** An envelope; the answer is empty. */
    static final MethodDescriptor<byte[], byte[]> PUT = call("Put");

    /** A {@link Asking}; the answer is a {@link Portion}, at once or when something comes. */
    static final MethodDescriptor<byte[], byte[]> NEXT = call("Next");

    private GrpcCalls() {}

    private static MethodDescriptor<byte[], byte[]> call(String name) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(BYTES)
                .setResponseMarshaller(BYTES)
                .build();
    }

    /**
     * How far a party has read.
     *
     * @param start which start of the coordinator's program the number belongs to
     * @param number of the last message that it has
     */
    record Cursor(long start, long number) {
        byte[] toBytes() {
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(start)
                    .putLong(number)
                    .array();
        }
    }

    /** What a party asks for: messages after a cursor, within some milliseconds. */
    record Asking(Cursor cursor, long millis) {
        byte[] toBytes() {
            return ByteBuffer.allocate(3 * Long.BYTES)
                    .put(cursor.toBytes())
                    .putLong(millis)
                    .array();
        }

        static Asking read(byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return bytes.length == 3 * Long.BYTES
                    ? new Asking(new Cursor(buffer.getLong(), buffer.getLong()), buffer.getLong())
                    : new Asking(new Cursor(0, 0), 0);
        }
    }

    /** Messages, and how far a party has read when it has them. */
    record Portion(Cursor cursor, List<byte[]> messages) {
        byte[] toBytes() {
            int length = 2 * Long.BYTES;
            for (byte[] message : messages) {
                length += Integer.BYTES + message.length;
            }
            ByteBuffer buffer = ByteBuffer.allocate(length).put(cursor.toBytes());
            messages.forEach(message -> buffer.putInt(message.length).put(message));
            return buffer.array();
        }

        static Portion read(byte[] bytes) throws MailboxUnavailable {
            try {
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                Cursor cursor = new Cursor(buffer.getLong(), buffer.getLong());
                List<byte[]> messages = new ArrayList<>();
                while (buffer.hasRemaining()) {
                    int length = buffer.getInt();
                    if (length < 0 || length > buffer.remaining()) {
                        throw new BufferUnderflowException();
                    }
                    byte[] message = new byte[length];
                    buffer.get(message);
                    messages.add(message);
                }
                return new Portion(cursor, messages);
            } catch (BufferUnderflowException e) {
                throw new MailboxUnavailable("the coordinator's answer is not one of this protocol", e);
            }
        }
    }
}
