package io.tsdbsuite.ingest.it;

import com.stumbleupon.async.Deferred;
import net.opentsdb.auth.AuthState;
import net.opentsdb.auth.Authentication;
import net.opentsdb.auth.Authorization;
import net.opentsdb.auth.Permissions;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.query.pojo.Query;
import net.opentsdb.stats.StatsCollector;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.handler.codec.http.HttpRequest;

/**
 * A plugin of a TSD for {@code tsd.core.authentication}: the header {@code X-User} says who the
 * user is. {@code operator} may write over HTTP, others may not.
 */
public final class HeaderUsers implements Authentication, Authorization {
  /** Who a user is. */
  record State(String user, AuthStatus status) implements AuthState {
    @Override
    public String getUser() {
      return user;
    }

    @Override
    public AuthStatus getStatus() {
      return status;
    }

    @Override
    public String getMessage() {
      return "";
    }

    @Override
    public Throwable getException() {
      return null;
    }

    @Override
    public void setChannel(Channel channel) {
      // The TSD keeps both together.
    }

    @Override
    public byte[] getToken() {
      return new byte[0];
    }
  }

  /** Made by the TSD. */
  public HeaderUsers() {}

  @Override
  public void initialize(TSDB tsdb) {
    // Nothing is configured.
  }

  @Override
  public Deferred<Object> shutdown() {
    return Deferred.fromResult(null);
  }

  @Override
  public String version() {
    return "2.4.0";
  }

  @Override
  public void collectStats(StatsCollector collector) {
    // Nothing is counted.
  }

  @Override
  public AuthState authenticateTelnet(Channel channel, String[] command) {
    return new State("telnet", AuthState.AuthStatus.UNAUTHORIZED);
  }

  @Override
  public AuthState authenticateHTTP(Channel channel, HttpRequest request) {
    String user = request.headers().get("X-User");
    return new State(
        user == null ? "guest" : user,
        "stranger".equals(user) ? AuthState.AuthStatus.UNAUTHORIZED : AuthState.AuthStatus.SUCCESS);
  }

  @Override
  public Authorization authorization() {
    return this;
  }

  @Override
  public boolean isReady(TSDB tsdb, Channel channel) {
    return channel.getAttachment() instanceof AuthState;
  }

  @Override
  public AuthState hasPermission(AuthState state, Permissions permission) {
    boolean may = state.getUser().equals("operator") && permission == Permissions.HTTP_PUT;
    return new State(
        state.getUser(), may ? AuthState.AuthStatus.SUCCESS : AuthState.AuthStatus.FORBIDDEN);
  }

  @Override
  public AuthState allowQuery(AuthState state, TSQuery query) {
    return state;
  }

  @Override
  public AuthState allowQuery(AuthState state, Query query) {
    return state;
  }
}
