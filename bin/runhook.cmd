@echo off
rem The command line of Runhook, as the editor's terminals find it. RUNHOOK_NODE is the Node of the editor.
setlocal
if not defined RUNHOOK_NODE set RUNHOOK_NODE=node
set ELECTRON_RUN_AS_NODE=1
"%RUNHOOK_NODE%" "%~dp0..\dist\runhook.js" %*
