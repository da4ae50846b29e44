package dev.tacit.federated.simulate;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;

/** A wire on this machine that hands bytes on after a while, each way; what they are it does not know. */
final class DelayLine implements AutoCloseable {
    private static final int PORTION = 1 << 16;

    /** Some bytes, and when they are due; none at the end. */
    private record Portion(long dueNanos, byte[] bytes) {}

    private final ServerSocket door;
    private final int target;
    private final long delayNanos;

    private DelayLine(ServerSocket door, int target, long delayNanos) {
        this.door = door;
        this.target = target;
        this.delayNanos = delayNanos;
    }

    /** From a free port to another one. */
    static DelayLine start(int target, int delayMillis) throws IOException {
        DelayLine line = new DelayLine(
                new ServerSocket(0, 64, InetAddress.getLoopbackAddress()), target, delayMillis * 1_000_000L);
        daemon(line::accept);
        return line;
    }

    int port() {
        return door.getLocalPort();
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "delay");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket near = door.accept();
                daemon(() -> connect(near));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void connect(Socket near) {
        try {
            Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            oneWay(near, far);
            oneWay(far, near);
        } catch (IOException e) {
            close(near);
        }
    }

    private void oneWay(Socket from, Socket to) {
        LinkedBlockingQueue<Portion> wire = new LinkedBlockingQueue<>();
        daemon(() -> {
            try {
                InputStream in = from.getInputStream();
                byte[] buffer = new byte[PORTION];
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    wire.add(new Portion(System.nanoTime() + delayNanos, java.util.Arrays.copyOf(buffer, length)));
                }
            } catch (IOException e) {
                // the end of the connection, one way or another
            }
            wire.add(new Portion(System.nanoTime() + delayNanos, new byte[0]));
        });
        daemon(() -> {
            try {
                OutputStream out = to.getOutputStream();
                for (Portion next = wire.take(); next.bytes.length > 0; next = wire.take()) {
                    long wait = next.dueNanos - System.nanoTime();
                    if (wait > 0) {
                        Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
                    }
                    out.write(next.bytes);
                    out.flush();
                }
            } catch (IOException e) {
                // the other side is gone
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            close(to);
            close(from);
        });
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed as far as it can be
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
