package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.bulk.report.RejectReason;

/**
 * The reason why a name gets no UID.
 *
 * @param reason of which kind
 * @param detail the rule, and the kind and name found
 */
public record UidRefusal(RejectReason reason, String detail) {}
