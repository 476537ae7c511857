// Joins a room of Rooms, or listens to a topic with ids. Reconnects, and resumes after the last message.
// onFrame gets frames such as {id, data}, {id, join}, {id, leave} or {userId, data}.
// onEnd gets the close code if the server does not want the page back, for example after a logout.
function joinRoom(path, onFrame, onEnd = () => {}) {
  const last = {};
  const unsent = [];
  let wait = 500;
  let socket;
  let timer;
  function connect() {
    const url = new URL(path, location.href.replace(/^http/, 'ws'));
    Object.entries(last).forEach(([name, id]) => url.searchParams.set(name, id));
    let calm;
    socket = new WebSocket(url);
    socket.onopen = () => {
      calm = setTimeout(() => { wait = 500; }, 5000);
      unsent.splice(0).forEach(text => socket.send(text));
    };
    socket.onmessage = ({data}) => {
      const frame = JSON.parse(data);
      if ('userId' in frame) {
        last.lastUserId = frame.userId;
      } else {
        last.lastEventId = frame.id;
      }
      if (Object.keys(frame).length > 1) { // the first frames may contain only an id
        onFrame(frame);
      }
    };
    socket.onclose = ({code}) => {
      clearTimeout(calm);
      if (code === 1000 || code === 1008 || code >= 4000) {
        removeEventListener('online', renew);
        onEnd(code);
        return;
      }
      timer = setTimeout(connect, wait * (0.5 + Math.random() / 2)); // so that pages do not reconnect at the same time
      wait = Math.min(wait * 2, 30_000);
    };
  }
  function detach() {
    clearTimeout(timer);
    socket.onmessage = null;
    socket.onclose = null;
    socket.close(1000);
  }
  function renew() { // a socket of the lost network may stay open without messages, and never close
    detach();
    connect();
  }
  connect();
  addEventListener('online', renew);
  return {
    send(value) {
      const text = JSON.stringify(value);
      if (socket.readyState === WebSocket.OPEN) {
        socket.send(text);
      } else if (unsent.push(text) > 100) {
        unsent.shift();
      }
    },
    leave() {
      removeEventListener('online', renew);
      unsent.length = 0;
      detach();
    },
  };
}
