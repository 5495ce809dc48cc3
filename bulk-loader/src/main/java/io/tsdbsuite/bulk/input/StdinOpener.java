package io.tsdbsuite.bulk.input;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Standard input: it can be looked at again and again, and opened once. */
final class StdinOpener implements InputFile.Opener {
  private final InputStream in;
  private boolean opened;

  StdinOpener(InputStream in) {
    this.in = new BufferedInputStream(in, 1 << 16);
  }

  @Override
  public synchronized InputStream open(long offset) throws IOException {
    if (opened) {
      throw new IOException("standard input can be read once");
    }
    opened = true;
    in.skipNBytes(offset);
    return in;
  }

  @Override
  public synchronized byte[] peek(int bytes) throws IOException {
    in.mark(bytes);
    byte[] head = in.readNBytes(bytes);
    in.reset();
    return head;
  }
}
