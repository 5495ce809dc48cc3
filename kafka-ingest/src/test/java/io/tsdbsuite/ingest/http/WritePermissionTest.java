package io.tsdbsuite.ingest.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.Map;
import net.opentsdb.auth.AuthState;
import net.opentsdb.auth.Authentication;
import net.opentsdb.auth.Authorization;
import org.jboss.netty.channel.Channel;
import org.junit.jupiter.api.Test;

class WritePermissionTest {
  /** Answers methods by their names. */
  private static <T> T answering(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }

  private static AuthState state(AuthState.AuthStatus status) {
    return answering(AuthState.class, Map.of("getStatus", status));
  }

  private static Authentication plugin(boolean ready, AuthState.AuthStatus answer) {
    Authorization authorization =
        answering(Authorization.class, Map.of("hasPermission", state(answer)));
    return answering(
        Authentication.class, Map.of("isReady", ready, "authorization", authorization));
  }

  private static Channel channel(Map<String, Object> answers) {
    return answering(Channel.class, answers);
  }

  private final Channel known =
      channel(Map.of("getAttachment", state(AuthState.AuthStatus.SUCCESS)));

  @Test
  void everybodyMayWhereUsersAreNotLookedAt() {
    assertThat(WritePermission.has(false, null, null, channel(Map.of()))).isTrue();
  }

  @Test
  void whoHasThePermissionMay() {
    Authentication plugin = plugin(true, AuthState.AuthStatus.SUCCESS);
    assertThat(WritePermission.has(true, plugin, null, known)).isTrue();
  }

  @Test
  void othersMayNot() {
    Authentication refuses = plugin(true, AuthState.AuthStatus.UNAUTHORIZED);
    assertThat(WritePermission.has(true, refuses, null, known)).isFalse();
    Authentication grants = plugin(true, AuthState.AuthStatus.SUCCESS);
    assertThat(WritePermission.has(true, grants, null, channel(Map.of()))).isFalse();
    Authentication notReady = plugin(false, AuthState.AuthStatus.SUCCESS);
    assertThat(WritePermission.has(true, notReady, null, known)).isFalse();
    assertThat(WritePermission.has(true, null, null, known)).isFalse();
  }
}
