package io.tsdbsuite.trigger.lambda;

/**
 * The response of a function.
 *
 * @param error null if the invocation succeeded
 * @param body JSON: the function's answer, or errorMessage, errorType and stackTrace
 */
public record InvocationResult(String error, String body) {}
