'use strict';

// What a build was made of, so that whoever finds one can tell whether it still is that. In syntax of any Node, for the
// sake of the command beside it.

const fs = require('node:fs');
const path = require('node:path');

/** What decides what the command does, seen from the package's folder. */
const PARTS = [
  'package.json',
  'package-lock.json',
  'src',
  'dashboard/index.html',
  'dashboard/package.json',
  'dashboard/vite.config.ts',
  'dashboard/src',
];

/**
 * Paths, sizes and times of everything that a build depends on, as one text; tests are no part of it. Times and not
 * contents: reading all would take longer than what the build saves.
 */
function stampOf(root) {
  const lines = [];
  for (const part of PARTS) visit(path.join(root, part), part, lines);
  return lines.join('\n');
}

/** Paths and sizes of what a build consists of. */
function listBuild(root) {
  const folder = path.join(root, 'dist');
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => `dist/${name} ${fs.statSync(path.join(folder, name)).size}`)
    .join('\n');
}

function visit(file, name, lines) {
  const seen = fs.statSync(file, { throwIfNoEntry: false });
  if (seen === undefined) return;
  if (!seen.isDirectory()) {
    lines.push(`${name} ${seen.size} ${seen.mtimeMs}`);
    return;
  }
  // In an order of our own: folders have none.
  for (const entry of fs.readdirSync(file).sort((a, b) => (a < b ? -1 : 1))) {
    if (!entry.endsWith('.test.ts')) visit(`${file}/${entry}`, `${name}/${entry}`, lines);
  }
}

const stampFile = (root) => path.join(root, 'dist/source-stamp');

/** Says of a build that is there that it is whole, and of which sources: those that `stampOf` told of before it. */
const writeStamp = (root, sources) => fs.writeFileSync(stampFile(root), `${sources}\n${listBuild(root)}`);

/**
 * Whether there is a build, whole and of just these sources. A package that was installed has no sources, and its build
 * is right.
 */
function isBuilt(root) {
  try {
    if (!fs.existsSync(path.join(root, 'src'))) return true;
    return fs.readFileSync(stampFile(root), 'utf8') === `${stampOf(root)}\n${listBuild(root)}`;
  } catch {
    return false;
  }
}

module.exports = { isBuilt, stampOf, writeStamp };
