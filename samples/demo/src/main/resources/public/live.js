// Shows new entries immediately. Without this script, they appear when the page is loaded again.
const entries = document.querySelector('[data-live]');
if (entries) {
  new EventSource('/live').onmessage = async () => {
    const answer = await fetch('/');
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    entries.replaceChildren(...page.querySelector('[data-live]').childNodes);
  };
}
