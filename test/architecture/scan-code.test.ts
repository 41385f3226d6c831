import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scanCode } from './scan-code.js'

const scanning = suite('scanning code')

scanning('removes comments', () => {
  assert.is(scanCode('a /* b */ + c // d\ne').code, 'a  + c \ne')
})

scanning('finds literals, also those that contain comment markers and quotes', () => {
  assert.equal(scanCode(`f('a//b', "it's", \`x-z\`, 'q\\'r')`).literals, ['a//b', "it's", 'x-z', "q\\'r"])
})

scanning('distinguishes statements from the text of templates', () => {
  assert.is(scanCode("import 'a'; f(`import 'b'`)").statements, "import 'a'; f(``)")
})

scanning('does not take quotes in regular expressions for strings', () => {
  assert.equal(scanCode(`x.replace(/'"/g, '') / 2 // 'no'`).literals, [''])
})

scanning.run()
