// Shows new entries to everybody at once; without it they are there when the page is loaded again.
const entries = document.querySelector('[data-live]');
if (entries) {
  new EventSource('/live').onmessage = async () => {
    const answer = await fetch('/');
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    entries.replaceChildren(...page.querySelector('[data-live]').childNodes);
  };
}
