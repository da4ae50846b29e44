package dev.tacit.data.prepare.rows;

import dev.tacit.data.source.DataException;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.engine.BlockBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Encoded rows in a temporary file that is mapped into memory piece by piece.
 *
 * <pre>
 *   row:  label | sparse: how many, which columns | numbers        always the same length, so that row k is found at k
 * </pre>
 *
 * The file is readable by its owner only. Where the system allows it, its name is gone as soon as it is open, so that
 * nothing stays behind whatever happens; elsewhere it is deleted on closing and when the process ends.
 */
final class SpilledRows implements RowStore {
    private static final int WRITE_BYTES = 1 << 20;
    private static final long SEGMENT_BYTES = 1L << 29;

    private final RowShape shape;
    private final int rowBytes;
    private final FileChannel channel;
    private final ByteBuffer pending;
    private final long segmentRows;
    private final List<ByteBuffer> segments = new ArrayList<>();
    private long rows;

    SpilledRows(RowShape shape, Path folder) {
        this.shape = shape;
        this.rowBytes = shape.bytes();
        this.segmentRows = Math.max(1, SEGMENT_BYTES / rowBytes);
        this.pending = ByteBuffer.allocateDirect(Math.max(WRITE_BYTES / rowBytes, 1) * rowBytes)
                .order(ByteOrder.nativeOrder());
        this.channel = open(folder);
    }

    private static FileChannel open(Path folder) {
        try {
            Path file = Files.createTempFile(folder, "tacit-", ".rows");
            file.toFile().deleteOnExit();
            return FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw new DataException(
                    "encoded rows do not fit in memory, and no temporary file can be made in " + folder, e);
        }
    }

    @Override
    public RowShape shape() {
        return shape;
    }

    @Override
    public long rows() {
        return rows;
    }

    /** Adds rows at the end. */
    void append(EncodedRows more) {
        for (int row = 0; row < more.rows(); row++) {
            if (pending.remaining() < rowBytes) {
                flush();
            }
            int start = more.start(row);
            int length = more.end(row) - start;
            int place = pending.position();
            pending.putDouble(more.label(row));
            if (shape.sparse()) {
                pending.putInt(length);
                pending.asIntBuffer().put(more.columnIndices(), start, length);
            }
            int numbers = rowBytes - shape.entries() * Double.BYTES;
            pending.position(place + numbers);
            pending.asDoubleBuffer().put(more.values(), start, length);
            pending.position(place + rowBytes);
            rows++;
        }
    }

    private void flush() {
        try {
            pending.flip();
            while (pending.hasRemaining()) {
                channel.write(pending);
            }
            pending.clear();
        } catch (IOException e) {
            throw new DataException("the temporary file for encoded rows cannot be written; is the disk full?", e);
        }
    }

    /** Writes what is left and maps the file; nothing can be added any more. */
    void finish() {
        flush();
        try {
            for (long first = 0; first < rows; first += segmentRows) {
                long count = Math.min(segmentRows, rows - first);
                segments.add(channel.map(FileChannel.MapMode.READ_ONLY, first * rowBytes, count * rowBytes)
                        .order(ByteOrder.nativeOrder()));
            }
        } catch (IOException e) {
            throw new DataException("the temporary file for encoded rows cannot be read back", e);
        }
    }

    @Override
    public RecordBlock gather(RowNumbers numbers, int count, BlockBuffer buffer) {
        return shape.sparse() ? gatherSparse(numbers, count, buffer) : gatherDense(numbers, count, buffer);
    }

    private RecordBlock gatherDense(RowNumbers numbers, int count, BlockBuffer buffer) {
        int columns = shape.columns();
        double[] values = buffer.values(count * columns);
        double[] labels = shape.labelled() ? buffer.labels(count) : null;
        for (int i = 0; i < count; i++) {
            ByteBuffer segment = segments.get((int) (numbers.at(i) / segmentRows));
            int place = (int) (numbers.at(i) % segmentRows) * rowBytes;
            if (labels != null) {
                labels[i] = segment.getDouble(place);
            }
            doubles(segment, place + Double.BYTES).get(values, i * columns, columns);
        }
        return DenseBlock.of(count, columns, values, labels);
    }

    private RecordBlock gatherSparse(RowNumbers numbers, int count, BlockBuffer buffer) {
        double[] values = buffer.values(count * shape.entries());
        double[] labels = shape.labelled() ? buffer.labels(count) : null;
        int[] starts = buffer.rowStarts(count + 1);
        int[] columns = buffer.columnIndices(count * shape.entries());
        int position = 0;
        for (int i = 0; i < count; i++) {
            ByteBuffer segment = segments.get((int) (numbers.at(i) / segmentRows));
            int place = (int) (numbers.at(i) % segmentRows) * rowBytes;
            if (labels != null) {
                labels[i] = segment.getDouble(place);
            }
            int length = segment.getInt(place + Double.BYTES);
            starts[i] = position;
            ints(segment, place + Double.BYTES + Integer.BYTES).get(columns, position, length);
            doubles(segment, place + rowBytes - shape.entries() * Double.BYTES).get(values, position, length);
            position += length;
        }
        starts[count] = position;
        return SparseBlock.of(count, shape.columns(), starts, columns, values, labels);
    }

    /** A view that other threads do not move. */
    private static DoubleBuffer doubles(ByteBuffer segment, int place) {
        return segment.duplicate()
                .order(ByteOrder.nativeOrder())
                .position(place)
                .slice()
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
    }

    private static IntBuffer ints(ByteBuffer segment, int place) {
        return segment.duplicate()
                .order(ByteOrder.nativeOrder())
                .position(place)
                .slice()
                .order(ByteOrder.nativeOrder())
                .asIntBuffer();
    }

    @Override
    public void close() {
        segments.clear();
        try {
            channel.close();
        } catch (IOException e) {
            // the file is deleted when the process ends
        }
    }
}
