package io.tsdbsuite.trigger.night;

import io.tsdbsuite.trigger.s3.S3Location;

/** A marker that cannot be used; the message names it, the rule and what was found. */
public final class MarkerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MarkerException(S3Location place, String problem) {
    super("marker " + place.uri() + " " + problem);
  }
}
