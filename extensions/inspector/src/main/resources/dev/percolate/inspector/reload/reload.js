(() => {
  const version = document.currentScript.dataset.version
  let events = null
  // Browsers open at most six connections to a server, so hidden pages close theirs.
  const follow = () => {
    if (document.hidden) {
      events?.close()
      events = null
    } else if (!events) {
      events = new EventSource('/_percolate/reload')
      events.onmessage = event => {
        if (event.data !== version) {
          events.close()
          location.reload()
        }
      }
    }
  }
  document.addEventListener('visibilitychange', follow)
  addEventListener('pagehide', () => events?.close())
  follow()
})()
