package dev.percolate.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** The code of a servlet. */
@FunctionalInterface
interface ResponseAction {

  void answer(HttpServletRequest req, HttpServletResponse res) throws Exception;
}
