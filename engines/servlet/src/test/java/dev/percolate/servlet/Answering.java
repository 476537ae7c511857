package dev.percolate.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** What a servlet does. */
@FunctionalInterface
interface Answering {

  void answer(HttpServletRequest req, HttpServletResponse res) throws Exception;
}
