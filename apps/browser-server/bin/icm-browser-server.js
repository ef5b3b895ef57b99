#!/usr/bin/env node
import '../dist/stdio.js'
