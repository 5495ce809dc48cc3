package io.tsdbsuite.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.message.Origin;
import java.util.HashMap;
import java.util.Map;
import net.opentsdb.core.IncomingDataPoint;
import net.opentsdb.core.Tags;
import net.opentsdb.utils.JSON;
import org.junit.jupiter.api.Test;

/** With stacks of 2.4.1; RequeueIT and PublisherIT have them from real TSDs. */
class ReceivedByTest {
  private static final String RPC = "net.opentsdb.tsd.PutDataPointRpc";

  private static Origin of(String... frames) {
    StackTraceElement[] stack = new StackTraceElement[frames.length];
    for (int i = 0; i < frames.length; i++) {
      int dot = frames[i].lastIndexOf('.');
      stack[i] =
          new StackTraceElement(
              frames[i].substring(0, dot), frames[i].substring(dot + 1), "PutDataPointRpc.java", 1);
    }
    return ReceivedBy.of(stack);
  }

  @Test
  void telnetIsToldFromHttp() {
    String handle = RPC + ".handleStorageException";
    assertThat(of(handle, RPC + "$1PutErrback.call", "Deferred.doCall")).isEqualTo(Origin.TELNET);
    assertThat(of(handle, RPC + ".execute", "RpcHandler.handleTelnetRpc")).isEqualTo(Origin.TELNET);
    assertThat(of(handle, RPC + "$2PutErrback.call", "Deferred.doCall")).isEqualTo(Origin.HTTP);
    // HTTP has an execute too, below the method that hands points to the handler.
    assertThat(of(handle, RPC + ".processDataPoint", RPC + ".execute")).isEqualTo(Origin.HTTP);
    assertThat(of("some.Other.call")).isEqualTo(Origin.HTTP);
  }

  @Test
  void parsedKeysAreToldFromInternedOnes() {
    assertThat(ReceivedBy.of(Map.of("host", "a"))).isEqualTo(Origin.HTTP);
    assertThat(ReceivedBy.of(Map.of("put host=a".substring(4, 8), "a"))).isEqualTo(Origin.TELNET);
  }

  /** The parsers are the TSD's own. No other text of this program equals the keys. */
  @Test
  void keysThatWereNeverInternedAreToldToo() {
    for (int i = 0; i < 3; i++) {
      HashMap<String, String> telnet = new HashMap<>();
      Tags.parse(telnet, "never-interned-" + System.nanoTime() + "-" + i + "=a");
      assertThat(ReceivedBy.of(telnet)).isEqualTo(Origin.TELNET);
      assertThat(ReceivedBy.of(telnet)).describedAs("asked again").isEqualTo(Origin.TELNET);
      String key = telnet.keySet().iterator().next();
      String json =
          "{\"metric\":\"m\",\"timestamp\":1,\"value\":1.5,\"tags\":{\"" + key + "\":\"a\"}}";
      Map<String, String> http = JSON.parseToObject(json, IncomingDataPoint.class).getTags();
      assertThat(ReceivedBy.of(http)).isEqualTo(Origin.HTTP);
      assertThat(ReceivedBy.of(telnet)).describedAs("after HTTP").isEqualTo(Origin.TELNET);
    }
  }
}
