import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesBelow } from '../support/find-tests.js'
import { root, type Source, sources } from './sources.js'

/** The test kit is for tests that others write; which of its parts our own plugins use says little. */
const testKit = 'orch/sdk/testing'
const outsideTheSdk = ['libs', 'kernel', 'plugins', 'orchctl', 'examples', 'test', 'tools']

/**
 * Everything outside the sdk that may name something of it: sources, code in pages, and the declarations that the compiler wrote, which name
 * the types of what a plugin exports without naming them in its source.
 */
export function possibleUsers(): Source[] {
  const declarations = outsideTheSdk.map(folder => join(root, 'dist', folder)).flatMap(written('.d.ts'))
  const pages = ['docs', 'plugins', 'libs', 'sdk', 'examples'].map(folder => join(root, folder)).flatMap(written('.md'))
  return [...sources(...outsideTheSdk), ...[...declarations, ...pages, join(root, 'README.md')].map(readSource)]
}
const written = (ending: string) => (folder: string) => filesBelow(folder).filter(file => file.endsWith(ending))
const readSource = (file: string): Source => ({
  path: relative(root, file),
  text: readFileSync(file, 'utf8'),
  isTest: false,
})

/** Lines of the surface (`door kind name`) that nobody outside the sdk uses. */
export function unusedExports(surface: readonly string[], users: readonly Source[]): string[] {
  const used = new Set(users.flatMap(({ text }) => namesTaken(text)))
  return surface.filter(line => {
    const [door, , name] = line.split(' ')
    return door !== testKit && !used.has(`${door} ${name}`)
  })
}

/** `door name` for all that a text imports from a door of the sdk. */
function namesTaken(text: string): string[] {
  if (!text.includes('orch/sdk')) return []
  const lists = [...text.matchAll(/\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*['"](orch\/sdk[\w/-]*)['"]/g)]
  const awaited = [...text.matchAll(/\{([^}]*)\}\s*=\s*await import\(\s*['"](orch\/sdk[\w/-]*)['"]\s*\)/g)]
  const typed = [...text.matchAll(/import\("(orch\/sdk[\w/-]*)"\)\.(\w+)/g)]
  return [
    ...[...lists, ...awaited].flatMap(([, names = '', door]) =>
      names
        .split(',')
        .map(each =>
          each
            .trim()
            .replace(/^type /, '')
            .split(/ as |:/)[0]
            ?.trim(),
        )
        .map(name => `${door} ${name}`),
    ),
    ...typed.map(([, door, name]) => `${door} ${name}`),
  ]
}
