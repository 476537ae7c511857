package dev.percolate.api;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One thing that does not fit.
 *
 * @param place where: {@code pointer} of a body, or {@code query}, {@code path}, {@code header},
 *     {@code cookie} or {@code form}
 * @param name the pointer (RFC 6901), or the name of the parameter
 * @param detail what is wrong, for the client
 */
record Fault(String place, String name, String detail) {

  static Fault at(String pointer, String detail) {
    return new Fault("pointer", pointer, detail);
  }

  /** Returns what the client gets. */
  Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put(place, name);
    members.put("detail", detail);
    return members;
  }

  @Override
  public String toString() {
    return (name.isEmpty() ? "the body" : name) + ": " + detail;
  }
}
