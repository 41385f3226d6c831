import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blocksOf, untriedBlocks } from './blocks.js'

const blocks = suite('code blocks of a page')
const fence = '```'
const block = (info: string, code = 'x') => `${fence}${info}\n${code}\n${fence}\n`

blocks('are files, commands and servers', () => {
  const page = `${block('ts file=a.ts')}words\n\n${block('sh run', 'node a.ts')}${block('sh serve', 'npm start')}`
  assert.equal(
    blocksOf(page).map(({ line, purpose, file, code }) => [line, purpose, file, code]),
    [
      [1, 'file', 'a.ts', 'x\n'],
      [6, 'run', undefined, 'node a.ts\n'],
      [9, 'serve', undefined, 'npm start\n'],
    ],
  )
  assert.equal(untriedBlocks(page), [])
})

const untried: Record<string, [string, RegExp]> = {
  'without a language': [block(''), /line 1: "" is not tried/],
  'in a language that nobody knows': [block('fortran'), /"fortran" is not tried/],
  'of commands that are only shown': [block('sh'), /"sh" is not tried/],
  'of TypeScript without a file': [block('ts'), /"ts" is not tried/],
  'inside a list': [`- so:\n\n  ${fence}console\n  $ x\n  ${fence}\n`, /line 3: "console" is not tried/],
  'that never ends': [`${fence}sh run\nx\n`, /"never closed" is not tried/],
  'of a file that nothing uses': [
    `${block('yaml file=a.yaml')}${block('sh run', 'true')}`,
    /nothing on the page uses a\.yaml/,
  ],
  'of a config that no server reads': [block('ts file=orch.config.ts'), /nothing on the page uses orch\.config\.ts/],
}
for (const [title, [page, problem]] of Object.entries(untried))
  blocks(`are reported ${title}`, () => assert.match(untriedBlocks(page).join('\n'), problem))

blocks.run()
