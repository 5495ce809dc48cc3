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
 * A claim on a name: an S3 object that makes activations unique, for a service without unique
 * names: {@code {"v":1,"state":"activating","owner":"…","at":"2026-11-21T01:02:03Z"}}. Exactly one
 * of several concurrent functions gets it, because S3 creates an object only once ({@code
 * If-None-Match: *}).
 *
 * <p>A write that S3 rejects may have succeeded nevertheless: the SDK retries a write whose
 * response was lost, and the retry meets the object of the first write. A rejected write therefore
 * counts as successful if the stored object has the written state and {@code owner}.
 *
 * <pre>
 *              create            confirm
 *    (none) ----------&gt; activating ------&gt; activated
 *       ^                |     ^
 *       +--- release ----+     +-- take over: the owner's lease has expired
 * </pre>
 */
final class Claim {
  /** Longer than Lambda's maximum timeout, so the owner of an older claim has died. */
  static final Duration LEASE = Duration.ofMinutes(16);

  private static final String ACTIVATING = "activating";
  private static final String ACTIVATED = "activated";
  private static final int MAX_BYTES = 4096;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The result of {@link #acquire}. */
  enum State {
    /** The caller owns the claim and must confirm or release it. */
    MINE,
    /** The caller owns the claim; the previous owner died and may have done the work. */
    TAKEN_OVER,
    /** Another owner has the claim, whose lease has not expired. */
    OTHERS,
    /** The work is done. */
    CONFIRMED
  }

  private record Found(String state, String owner, Instant at, String etag) {}

  private final ObjectStore store;
  private final S3Location place;
  private final String owner;
  private final Clock clock;
  private Instant takenBefore = Instant.MIN;

  /**
   * @param owner unique for each attempt
   */
  Claim(ObjectStore store, S3Location place, String owner, Clock clock) {
    this.store = store;
    this.place = place;
    this.owner = owner;
    this.clock = clock;
  }

  /**
   * Tries to get the claim. Reads it first: a server may close the connection of a write that it
   * rejects, and a client that is still sending then sees a broken connection instead of the
   * answer.
   */
  State acquire() throws IOException {
    Optional<Found> found = find();
    if (found.isEmpty()) {
      if (store.create(place, content(ACTIVATING))) {
        return State.MINE;
      }
      found = find();
    }
    if (found.isEmpty()) {
      // Released meanwhile: a retry gets it.
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
    takenBefore = claim.at;
    return State.TAKEN_OVER;
  }

  /** Time when the previous owner got the claim; valid only after {@link State#TAKEN_OVER}. */
  Instant takenBefore() {
    return takenBefore;
  }

  /** Marks the work as done. */
  void confirm() throws IOException {
    Optional<Found> found = find();
    if (found.isEmpty()
        || !isMine(found.get(), ACTIVATING)
        || !write(ACTIVATED, found.get().etag)) {
      throw new StartException("claim " + place.uri() + " was changed by another owner");
    }
  }

  /** Removes the claim: the work was not done, and another caller may try. */
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
          "claim " + place.uri() + " is invalid (" + e.getMessage() + "): delete it");
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
