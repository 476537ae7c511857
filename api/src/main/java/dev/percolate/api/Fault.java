package dev.percolate.api;

import dev.percolate.http.HttpError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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

  private static final int MOST_ECHOED = 64;

  static Fault at(String pointer, String detail) {
    return new Fault("pointer", pointer, detail);
  }

  /**
   * Returns the faults of an error of {@link dev.percolate.core.InputFaults}.
   *
   * @param place of which place they are
   * @param label what the error calls their names
   */
  static List<Fault> of(HttpError error, String place, String label) {
    List<Fault> faults = new ArrayList<>();
    if (error.field("errors") instanceof List<?> all) {
      for (Object one : all) {
        if (one instanceof Map<?, ?> fault) {
          faults.add(new Fault(place, String.valueOf(fault.get(label)), detail(fault)));
        }
      }
    }
    return faults.isEmpty() ? List.of(new Fault(place, "", "does not fit")) : faults;
  }

  /** Returns the first characters of what a client has sent, and a sign if there are more. */
  static String beginning(String sent) {
    if (sent.length() <= MOST_ECHOED) {
      return sent;
    }
    boolean splits = Character.isHighSurrogate(sent.charAt(MOST_ECHOED - 1));
    return sent.substring(0, splits ? MOST_ECHOED - 1 : MOST_ECHOED) + "\u2026";
  }

  private static String detail(Map<?, ?> fault) {
    if ("value.missing".equals(fault.get("code"))) {
      return "is missing";
    }
    Object wanted = fault.get("expected");
    return wanted == null ? String.valueOf(fault.get("detail")) : "expected " + wanted;
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
    String whole = place.equals("pointer") ? "the body" : "the " + place;
    return (name.isEmpty() ? whole : name) + ": " + detail;
  }
}
