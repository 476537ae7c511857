// Reads a topic with message ids, as set by Topic.ids(true). Reconnects without missing messages.
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
        onMessage(frame.data); // the first frame may contain only an id
      }
    };
    socket.onclose = () => {
      setTimeout(connect, wait * (0.5 + Math.random() / 2)); // so that pages do not reconnect at the same time
      wait = Math.min(wait * 2, 30_000);
    };
  }
  connect();
}
