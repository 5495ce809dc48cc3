package io.tsdbsuite.trigger.night;

import io.tsdbsuite.trigger.s3.S3Location;

/** An invalid marker; the message names the marker, the rule and the value found. */
public final class MarkerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MarkerException(S3Location place, String problem) {
    super("marker " + place.uri() + " " + problem);
  }
}
