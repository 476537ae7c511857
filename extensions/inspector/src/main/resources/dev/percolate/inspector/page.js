document.querySelectorAll('[data-copy]').forEach(function (button) {
  button.addEventListener('click', function () {
    navigator.clipboard.writeText(button.nextElementSibling.textContent).then(function () {
      button.textContent = 'Copied';
    });
  });
});
