// npm runs this after it has installed this package from a folder or a clone. It builds only if something changed: otherwise
// `npm install ../orch` and the first `npx orchctl` would each take as long as a build.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Everything that a build reads. */
const sources = ['kernel', 'sdk', 'libs', 'plugins', 'orchctl', 'examples', 'tools', 'test']
const files = ['orch.config.ts', 'orch.commands.ts', 'package.json', 'tsconfig.json']

function newestBelow(folder) {
  let newest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    newest = Math.max(newest, entry.isDirectory() ? newestBelow(path) : statSync(path).mtimeMs)
  }
  return newest
}

function isBuilt() {
  const built = statSync(join(root, 'dist/bundled/build.json'), { throwIfNoEntry: false })
  if (!built) return false
  const newest = [
    ...sources.map(name => newestBelow(join(root, name))),
    ...files.map(name => statSync(join(root, name)).mtimeMs),
  ]
  return Math.max(...newest) <= built.mtimeMs
}

if (!isBuilt())
  process.exitCode = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: true }).status ?? 1
