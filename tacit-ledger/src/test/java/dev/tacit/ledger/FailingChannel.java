package dev.tacit.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file on a disk that takes some more bytes, does some more fsyncs, and may be unable to give bytes back. */
final class FailingChannel extends ForwardingChannel {
    private final boolean truncates;
    private long bytesLeft;
    private int forcesLeft;

    FailingChannel(FileChannel file, long bytesLeft, int forcesLeft, boolean truncates) {
        super(file);
        this.bytesLeft = bytesLeft;
        this.forcesLeft = forcesLeft;
        this.truncates = truncates;
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        if (bytesLeft == 0) {
            throw new IOException("No space left on device");
        }
        ByteBuffer part = source.slice();
        part.limit((int) Math.min(part.limit(), bytesLeft));
        int written = super.write(part, position);
        source.position(source.position() + written);
        bytesLeft -= written;
        return written;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        if (forcesLeft-- <= 0) {
            throw new IOException("Input/output error");
        }
        super.force(metaData);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        if (!truncates && size < size()) {
            throw new IOException("Input/output error");
        }
        return super.truncate(size);
    }
}
