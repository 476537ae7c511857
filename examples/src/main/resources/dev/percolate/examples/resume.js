// Hears a topic whose frames carry ids: Topic.ids(true). It reconnects, and misses nothing that is kept.
function listen(path, onMessage) {
  let id = '';
  let wait = 500;
  function connect() {
    const url = new URL(path, location.href.replace(/^http/, 'ws'));
    if (id !== '') {
      url.searchParams.set('lastEventId', id);
    }
    const socket = new WebSocket(url);
    socket.onopen = () => { wait = 500; };
    socket.onmessage = ({data}) => {
      const frame = JSON.parse(data);
      id = frame.id;
      if ('data' in frame) {
        onMessage(frame.data); // the first frame may have an id alone
      }
    };
    socket.onclose = () => {
      setTimeout(connect, wait * (0.5 + Math.random() / 2)); // not all pages at once
      wait = Math.min(wait * 2, 30_000);
    };
  }
  connect();
}
