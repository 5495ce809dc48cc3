package io.tsdbsuite.bulk.input;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Frames of zstd, one after the other. The library's own stream takes a file that ends within the
 * header of a later frame for complete, so this stream checks the ends of frames.
 */
final class ZstdStream extends InputStream {
  private static final int BUFFER = 1 << 17;

  private final InputStream in;
  private final ZstdDecompressCtx frames = new ZstdDecompressCtx();
  private final byte[] chunk = new byte[BUFFER];
  private final ByteBuffer stored = ByteBuffer.allocateDirect(BUFFER).limit(0);
  private final ByteBuffer text = ByteBuffer.allocateDirect(BUFFER).limit(0);
  private boolean ended;
  private boolean betweenFrames = true;

  ZstdStream(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    int n = read(one, 0, 1);
    return n < 0 ? n : one[0] & 0xff;
  }

  @Override
  public int read(byte[] b, int off, int len) throws IOException {
    if (len == 0) {
      return 0;
    }
    while (!text.hasRemaining()) {
      if (!stored.hasRemaining() && !ended) {
        fill();
      }
      decompress();
      if (!text.hasRemaining() && !stored.hasRemaining() && ended) {
        if (betweenFrames) {
          return -1;
        }
        throw new EOFException();
      }
    }
    int n = Math.min(len, text.remaining());
    text.get(b, off, n);
    return n;
  }

  private void fill() throws IOException {
    int n = in.read(chunk, 0, chunk.length);
    ended = n < 0;
    stored.clear().put(chunk, 0, Math.max(0, n)).flip();
  }

  private void decompress() throws IOException {
    text.clear();
    int before = stored.position();
    try {
      boolean frameEnds = frames.decompressDirectByteBufferStream(text, stored);
      betweenFrames = frameEnds || (betweenFrames && stored.position() == before);
    } catch (ZstdException e) {
      // Until 1.5.5 the library gives the code, and looks its message up, under the wrong sign.
      long code = e.getErrorCode();
      throw new IOException(Zstd.getErrorName(Zstd.isError(code) ? code : -code), e);
    } finally {
      text.flip();
    }
  }

  @Override
  public void close() throws IOException {
    frames.close();
    in.close();
  }
}
