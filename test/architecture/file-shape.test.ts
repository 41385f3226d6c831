import { basename } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scanCode } from './scan-code.js'
import { sources } from './sources.js'

const longestLines = 300
const emptyNames = ['utils', 'helpers', 'common', 'misc', 'types']

const shape = suite('the shape of a file')

shape('no file has more than 300 lines', () => {
  const long = sources()
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > longestLines)
    .map(({ path, lines }) => `${path}: ${lines}`)
  assert.equal(long, [])
})

shape('names are kebab-case and name a concept', () => {
  const odd = sources()
    .map(({ path }) => path)
    .filter(path => {
      const stem = basename(path).split('.')[0] ?? ''
      return !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem) || emptyNames.includes(stem)
    })
  assert.equal(odd, [])
})

shape('nothing is exported as default but the configuration', () => {
  const found = sources()
    .filter(
      ({ path, text }) =>
        !path.endsWith('orch.config.ts') &&
        /\bexport default\b/.test(scanCode(text).code.replace(/(['"`]).*?\1/gs, '')),
    )
    .map(({ path }) => path)
  assert.equal(found, [])
})

shape('every uvu suite is run', () => {
  const notRun = sources()
    .filter(source => source.isTest)
    .flatMap(({ path, text }) => {
      const suites = [...text.matchAll(/^const (\w+) = suite\b/gm)].map(([, name = '']) => name)
      const all = /import \{[^}]*\btest\b[^}]*\} from 'uvu'/.test(text) ? [...suites, 'test'] : suites
      const missing = all.filter(name => !text.includes(`${name}.run()`)).map(name => `${path}: ${name}`)
      return all.length === 0 && !text.includes('.run()') ? [`${path}: no suite`] : missing
    })
  assert.equal(notRun, [])
})

shape('no test is marked to run alone', () => {
  const alone = sources()
    .filter(({ isTest, text }) => isTest && /^\s*\w+\.only\(/m.test(text))
    .map(({ path }) => path)
  assert.equal(alone, [])
})

shape.run()
