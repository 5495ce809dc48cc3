package io.tsdbsuite.ingest.http;

import net.opentsdb.auth.AuthState;
import net.opentsdb.auth.Authentication;
import net.opentsdb.auth.Permissions;
import net.opentsdb.core.TSDB;
import org.jboss.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the user of a connection may write over HTTP ({@code tsd.core.authentication}).
 * The TSD has authenticated the user before.
 */
public final class WritePermission {
  private WritePermission() {}

  /** Asks the TSD's authorization plugin; true if authentication is disabled. */
  public static boolean has(TSDB tsdb, Channel channel) {
    return has(
        tsdb.getConfig().getBoolean("tsd.core.authentication.enable"),
        tsdb.getAuth(),
        tsdb,
        channel);
  }

  static boolean has(
      boolean enabled, @Nullable Authentication authentication, TSDB tsdb, Channel channel) {
    if (!enabled || authentication == null) {
      // Enabled but not loaded: deny.
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
