package io.tsdbsuite.bench.load;

import io.tsdbsuite.synthetic.round.JsonFormat;
import io.tsdbsuite.synthetic.round.PointFormat;
import io.tsdbsuite.synthetic.round.TelnetFormat;
import java.io.IOException;

/** Protocols for writing points into a TSD. */
public enum Protocol {
  /** Lines of {@code put}. */
  TELNET {
    @Override
    PointFormat format() {
      return new TelnetFormat();
    }

    @Override
    TsdConnection connect(TsdAddress address, Books books) throws IOException {
      return new TelnetConnection(address, books);
    }
  },

  /** {@code /api/put} with a JSON array. */
  HTTP {
    @Override
    PointFormat format() {
      return new JsonFormat();
    }

    @Override
    TsdConnection connect(TsdAddress address, Books books) throws IOException {
      return new HttpConnection(address, books);
    }
  };

  abstract PointFormat format();

  abstract TsdConnection connect(TsdAddress address, Books books) throws IOException;
}
