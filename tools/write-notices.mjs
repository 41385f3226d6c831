// Collects the licenses of bundled packages: most licenses require that copies include them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folders of all bundled packages. */
const folders = new Set()

/** The folder of the package that a file belongs to, which may be nested in another package. */
const packageFolder = path => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0]

/** For every build: records which packages it bundles files from. */
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

/** Writes the file. Call it after all builds. */
export function writeNotices(path) {
  const intro = 'orch contains code of the following packages. Each is licensed as stated below its name.'
  const notices = [...folders].filter(folder => existsSync(join(folder, 'package.json'))).map(noticeOf)
  writeFileSync(path, `${[intro, ...new Set(notices.sort())].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
}
