package io.tsdbsuite.planner.run;

/**
 * An option in which a report differs from the present settings.
 *
 * @param name name of the option; {@code the data table} for the table
 * @param reported value in the report
 * @param present value of the settings
 */
public record OptionDifference(String name, String reported, String present) {}
