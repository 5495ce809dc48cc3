package io.tsdbsuite.trigger.start;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.s3.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An object that says who starts what, for a service that does not know names: {@code
 * {"v":1,"state":"activating","owner":"…","at":"2026-11-21T01:02:03Z"}}. Of all functions that ask
 * at once one gets it, since S3 creates an object once ({@code If-None-Match: *}).
 *
 * <p>A write that S3 refuses may have been done all the same: the SDK repeats one whose answer was
 * lost, and the second meets what the first has written. So a refused write counts as done where
 * the object is found to be what it wrote, and {@code owner} tells one owner from another.
 *
 * <pre>
 *              create            confirm
 *    (none) ----------&gt; activating ------&gt; activated
 *       ^                |     ^
 *       +--- release ----+     +-- take over: the owner has died, its lease is over
 * </pre>
 */
final class Claim {
  /** Longer than Lambda lets any function run: whoever has it for longer is dead. */
  static final Duration LEASE = Duration.ofMinutes(16);

  private static final String ACTIVATING = "activating";
  private static final String ACTIVATED = "activated";
  private static final int MAX_BYTES = 4096;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** What a claim was found to be. */
  enum State {
    /** It is the caller's, who must confirm or release it. */
    MINE,
    /** It is the caller's; whoever had it before died before saying whether he had activated. */
    TAKEN_OVER,
    /** Somebody else has it, and is at work or died a moment ago. */
    OTHERS,
    /** The work is done. */
    CONFIRMED
  }

  private record Found(String state, String owner, Instant at, String etag) {}

  private final ObjectStore store;
  private final S3Location place;
  private final String owner;
  private final Clock clock;
  private Instant diedAt;

  /**
   * @param owner nobody else's, for each time that it is tried
   */
  Claim(ObjectStore store, S3Location place, String owner, Clock clock) {
    this.store = store;
    this.place = place;
    this.owner = owner;
    this.clock = clock;
  }

  /** Tries to get it. */
  State acquire() throws IOException {
    if (store.create(place, content(ACTIVATING))) {
      return State.MINE;
    }
    Optional<Found> found = find();
    if (found.isEmpty()) {
      // Released at this moment: the next try gets it.
      return State.OTHERS;
    }
    Found claim = found.get();
    if (isMine(claim, ACTIVATING)) {
      return State.MINE;
    }
    if (claim.state.equals(ACTIVATED)) {
      return State.CONFIRMED;
    }
    if (claim.at.plus(LEASE).isAfter(clock.instant()) || !write(ACTIVATING, claim.etag)) {
      return State.OTHERS;
    }
    diedAt = claim.at;
    return State.TAKEN_OVER;
  }

  /** When the owner before had got it; only after {@link State#TAKEN_OVER}. */
  Instant takenBefore() {
    return diedAt;
  }

  /** The work is done. */
  void confirm() throws IOException {
    Optional<Found> found = find();
    if (found.isEmpty()
        || !isMine(found.get(), ACTIVATING)
        || !write(ACTIVATED, found.get().etag)) {
      throw new StartException("claim " + place.uri() + " was changed by somebody else");
    }
  }

  /** The work was not done, and the next one may try. */
  void release() {
    store.delete(place);
  }

  private boolean isMine(Found claim, String state) {
    return claim.state.equals(state) && claim.owner.equals(owner);
  }

  private boolean write(String state, String etag) throws IOException {
    return store.replace(place, content(state), etag)
        || find().filter(found -> isMine(found, state)).isPresent();
  }

  private Optional<Found> find() throws IOException {
    Optional<StoredObject> found = store.get(place);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (StoredObject object = found.get()) {
      JsonNode claim = MAPPER.readTree(object.bytes(MAX_BYTES));
      return Optional.of(
          new Found(
              claim.path("state").asText(),
              claim.path("owner").asText(),
              Instant.parse(claim.path("at").asText()),
              object.etag()));
    } catch (JsonProcessingException | DateTimeException e) {
      throw new StartException(
          "claim " + place.uri() + " is damaged (" + e.getMessage() + "): remove it");
    }
  }

  private byte[] content(String state) {
    return MAPPER
        .createObjectNode()
        .put("v", 1)
        .put("state", state)
        .put("owner", owner)
        .put("at", clock.instant().toString())
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }
}
