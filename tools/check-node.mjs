// Says in one line why the tests can't run, instead of a hundred syntax errors. Must itself run on any Node.

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `The tests need Node 22.19 or newer, and this is ${process.versions.node} (${process.execPath}).\n` +
      'Start them with `npm test` after `npm ci`: npm scripts run on the pinned Node 24 that `npm ci` brings (Linux, x64 and arm64).\n' +
      'On other systems install Node 24 and put it first in PATH.',
  );
  process.exit(1);
}
