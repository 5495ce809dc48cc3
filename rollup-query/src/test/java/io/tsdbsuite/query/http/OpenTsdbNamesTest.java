package io.tsdbsuite.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import net.opentsdb.core.TSDB;
import org.junit.jupiter.api.Test;

class OpenTsdbNamesTest {
  private static final ClassLoader LOADER = TSDB.class.getClassLoader();

  /** The build fails if the OpenTSDB of the suite lacks a name. */
  @Test
  void thisOpenTsdbHasAll() {
    assertThat(OpenTsdbNames.passingOn(LOADER).missing()).isEmpty();
    assertThat(OpenTsdbNames.queries(LOADER).missing()).isEmpty();
    assertThat(OpenTsdbNames.series(LOADER).missing()).isEmpty();
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThat(
            new OpenTsdbNames(LOADER)
                .field("net.opentsdb.tsd.RpcManager", "http_commands", "java.util.Map")
                .field("net.opentsdb.tsd.Nothing", "a", "int")
                .method("net.opentsdb.tsd.Nothing", "b", "void")
                .method("net.opentsdb.tsd.HttpQuery", "notFound", "int")
                .method("net.opentsdb.tsd.HttpQuery", "notFound", "void", "int")
                .constructor("net.opentsdb.tsd.HttpQuery", "int")
                .missing())
        .containsExactly(
            "net.opentsdb.tsd.RpcManager.http_commands",
            "net.opentsdb.tsd.Nothing",
            "net.opentsdb.tsd.HttpQuery.notFound()",
            "net.opentsdb.tsd.HttpQuery.notFound(int)",
            "net.opentsdb.tsd.HttpQuery(int)");
  }
}
