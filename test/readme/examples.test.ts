import { suite } from 'uvu'
import { tryPages } from './try-pages.js'

const tests = suite('the READMEs of examples')
tryPages(tests, page => page.startsWith('examples/'))
tests.run()
