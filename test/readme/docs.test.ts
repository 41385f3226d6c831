import { suite } from 'uvu'
import { tryPages } from './try-pages.js'

const tests = suite('README and docs')
tryPages(tests, page => !page.startsWith('examples/'))
tests.run()
