package dev.percolate.inspector;

import java.util.Map;

/**
 * The result of a tool for coding agents.
 *
 * @param text the result as text for a language model
 * @param value the result in the structure of the tool's output schema
 */
record McpResult(String text, Map<String, Object> value) {}
