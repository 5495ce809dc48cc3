package io.tsdbsuite.dist.archive;

/**
 * A package that is useful, but that may come from elsewhere, as Java does.
 *
 * @param deb the dependency as Debian's control file writes it, alternatives included
 * @param rpm the name that RPM packages provide
 */
public record Recommendation(String deb, String rpm) {}
