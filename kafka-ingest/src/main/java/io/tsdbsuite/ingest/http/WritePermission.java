package io.tsdbsuite.ingest.http;

import net.opentsdb.auth.AuthState;
import net.opentsdb.auth.Authentication;
import net.opentsdb.auth.Permissions;
import net.opentsdb.core.TSDB;
import org.jboss.netty.channel.Channel;

/**
 * Whether the user of a connection may write over HTTP, by {@code tsd.core.authentication}. The TSD
 * has told by then who the user is, and let nobody in who is none.
 */
public final class WritePermission {
  private WritePermission() {}

  /** Asks the TSD's own plugin; everybody may where users are not looked at. */
  public static boolean has(TSDB tsdb, Channel channel) {
    return has(
        tsdb.getConfig().getBoolean("tsd.core.authentication.enable"),
        tsdb.getAuth(),
        tsdb,
        channel);
  }

  static boolean has(boolean enabled, Authentication authentication, TSDB tsdb, Channel channel) {
    if (!enabled || authentication == null) {
      // One that was switched on and is not there must not open what it should close.
      return !enabled;
    }
    if (!authentication.isReady(tsdb, channel) || !(channel.getAttachment() instanceof AuthState)) {
      return false;
    }
    AuthState answer =
        authentication
            .authorization()
            .hasPermission((AuthState) channel.getAttachment(), Permissions.HTTP_PUT);
    return answer.getStatus() == AuthState.AuthStatus.SUCCESS;
  }
}
