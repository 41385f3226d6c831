import type { Test } from 'uvu'
import { findProgram } from '../support/find-program.js'
import { blocksOf } from './blocks.js'
import { pageScript } from './page-script.js'
import { aReader, follow, pages, textOf } from './reader.js'

/** Adds a test for each of these pages, which runs it from the first block to the last. */
export function tryPages(tests: Test, isWanted: (page: string) => boolean): void {
  for (const page of pages.filter(isWanted)) {
    const text = textOf(page)
    if (!blocksOf(text).some(({ purpose }) => purpose !== 'file')) continue
    const missing = ['kubectl', 'openssl', 'curl'].filter(name => text.includes(`${name} `) && !findProgram(name))
    if (missing.length > 0) console.log(`SKIP ${missing.join(' and ')} is not installed`)
    else
      tests(`${page} shows commands that work`, async () => {
        const reader = aReader(page)
        try {
          await follow(pageScript(text), reader)
        } finally {
          reader.remove()
        }
      })
  }
}
