// The licenses of what others wrote and the bundle holds: most of them ask to be passed on with every copy.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the packages are of which something was read. */
const folders = new Set()

/** The folder of the package that a file belongs to, also one below another package. */
const packageFolder = path => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0]

/** For every build: remembers which packages it takes something from. */
export const noticePlugin = {
  name: 'notices',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]/ }, ({ path }) => {
      folders.add(packageFolder(path))
      return undefined
    })
  },
}

function noticeOf(folder) {
  const { name, version, license, homepage = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter(file => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file))
    .map(file => readFileSync(join(folder, file), 'utf8').trim())
  return `${name} ${version} (${license}) ${homepage}`.trim() + ['', ...texts].join('\n\n')
}

/** After all builds. */
export function writeNotices(path) {
  const intro =
    'orch holds code of these packages, joined with its own. Each is under the license that follows its name.'
  const notices = [...folders].filter(folder => existsSync(join(folder, 'package.json'))).map(noticeOf)
  writeFileSync(path, `${[intro, ...new Set(notices.sort())].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
}
