package io.tsdbsuite.trigger.lambda;

/**
 * What a function answered.
 *
 * @param error null when it ended well
 * @param body JSON: the function's answer, or errorMessage, errorType and stackTrace
 */
public record Answer(String error, String body) {}
