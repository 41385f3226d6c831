import { Readable, Writable } from 'node:stream'
import { write } from './command.js'

const maxLine = 4_096
const enter = '\r'
const endOfInput = '\x04'
const interrupt = '\x03'
const isErase = (char: string) => char === '\x7f' || char === '\b'

/** The line discipline of a terminal: echoes typed characters, forwards whole lines, and ends output lines with CR LF. */
export function terminal(input: Readable, output: Writable): { input: Readable; output: Writable; prompt(): void } {
  const shown = new Writable({
    decodeStrings: false,
    write(chunk: Buffer | string, _, done) {
      write(output, chunk.toString().replace(/\r?\n/g, '\r\n')).then(() => done())
    },
  })
  const prompt = () => void write(output, '/ # ')
  return { input: Readable.from(typedLines(input, output, prompt)), output: shown, prompt }
}

async function* typedLines(input: Readable, output: Writable, prompt: () => void): AsyncGenerator<Buffer> {
  let line = ''
  for await (const chunk of input) {
    // Pasted text is echoed in one piece, not character by character.
    let echoed = ''
    const show = async (text: string) => {
      await write(output, echoed + text)
      echoed = ''
    }
    for (const char of String(chunk)) {
      if (char === enter || char === '\n') {
        await show('\r\n')
        yield Buffer.from(`${line}\n`)
        line = ''
      } else if (char === endOfInput && line === '') {
        await show('\r\n')
        return
      } else if (char === interrupt) {
        line = ''
        await show('^C\r\n')
        prompt()
      } else if (isErase(char)) {
        if (line !== '') echoed += '\b \b'
        line = line.slice(0, -1)
      } else if (char >= ' ' && line.length < maxLine) {
        line += char
        echoed += char
      }
    }
    if (echoed !== '') await show('')
  }
}
